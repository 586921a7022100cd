/// SQLite functions that PostgreSQL lacks, with SQLite's semantics, created in the schema.
enum SharedFunctions {
    static let sql = """
        CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            AS $$ SELECT upper(encode($1, 'hex')) $$;
        CREATE FUNCTION quote(bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT coalesce('X''' || upper(encode($1, 'hex')) || '''', 'NULL') $$;
        CREATE FUNCTION quote(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT coalesce('''' || replace($1, '''', '''''') || '''', 'NULL') $$;
        CREATE FUNCTION quote(bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT coalesce($1::text, 'NULL') $$;
        CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT least($1, $2) $$;
        CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT greatest($1, $2) $$;
        CREATE FUNCTION json_each(text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT jsonb_array_elements_text($1::jsonb) $$;
        -- SQLite takes bytes for text as they are. Those that are not UTF-8 have their ASCII characters here.
        CREATE FUNCTION text_of(bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT
            AS $$ BEGIN RETURN convert_from($1, 'UTF8') COLLATE "C";
            EXCEPTION WHEN OTHERS THEN RETURN convert_from($1, 'LATIN1') COLLATE "C"; END $$;
        CREATE FUNCTION text_of(bigint) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT $1::text $$;
        """
}
