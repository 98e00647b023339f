-- one row: the weight alpha of the unpooled run's rank in a merged ranking
select {{ in_hundredths(var('lipani_alpha')) }} as hundredths
