"""Who is reading and what is theirs: session, browser, selection, uploads, own weightings."""
