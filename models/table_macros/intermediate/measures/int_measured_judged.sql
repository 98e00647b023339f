{{ config(arguments=['asked', 'cells']) }}

{{ measured_cells('judged', 'query_table(cells)') }}
