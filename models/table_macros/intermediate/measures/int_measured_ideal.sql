{{ config(arguments=['asked', 'cells']) }}

{{ measured_cells('ideal', 'query_table(cells)') }}
