"""The store by itself, on both databases: schema, transactions, pages, bulk inserts."""
