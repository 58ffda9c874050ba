/* Features that mattn/go-sqlite3 enables and skillgate does not use. */
#undef SQLITE_ENABLE_FTS3
#undef SQLITE_ENABLE_FTS3_PARENTHESIS
#undef SQLITE_ENABLE_RTREE
