-- one row per level: what leaves the pool with a candidate, the run alone or its whole organization
select * from (values ('run'), ('organization')) as levels (level)
