-- one row per level: who leaves the pool with a candidate, the run alone or its whole organization
select * from (values ('run'), ('organization')) as levels (level)
