{{ config(arguments=['asked', 'cells']) }}

{{ measured_cells('gains', 'query_table(cells)') }}
