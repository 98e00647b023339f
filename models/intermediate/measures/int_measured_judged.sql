{{ config(materialized='table_macro', arguments=['asked', 'cells']) }}

{{ measured_cells('judged', 'query_table(cells)') }}
