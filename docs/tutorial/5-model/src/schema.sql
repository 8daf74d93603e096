CREATE TABLE IF NOT EXISTS books (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL,
    year INTEGER NOT NULL, topic TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS copies (
    id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES books, edition TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS readers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE,
    born INTEGER, card TEXT NOT NULL, newsletter INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS holds (
    book INTEGER NOT NULL REFERENCES books, reader INTEGER NOT NULL REFERENCES readers,
    until INTEGER NOT NULL, PRIMARY KEY (book, reader)
) STRICT;
CREATE TABLE IF NOT EXISTS loans (
    id INTEGER PRIMARY KEY, copy INTEGER NOT NULL UNIQUE REFERENCES copies,
    reader INTEGER NOT NULL REFERENCES readers, due TEXT NOT NULL
) STRICT;
INSERT OR IGNORE INTO books VALUES
    (1, 'Emma', 'Jane Austen', 1815, 'novel'),
    (2, 'Frankenstein', 'Mary Shelley', 1818, 'horror'),
    (3, 'Moby-Dick', 'Herman Melville', 1851, 'adventure'),
    (4, 'On the Origin of Species', 'Charles Darwin', 1859, 'science'),
    (5, 'Middlemarch', 'George Eliot', 1871, 'novel'),
    (6, 'Treasure Island', 'Robert Louis Stevenson', 1883, 'adventure'),
    (7, 'The Time Machine', 'H. G. Wells', 1895, 'science fiction'),
    (8, 'Dracula', 'Bram Stoker', 1897, 'horror');
INSERT OR IGNORE INTO copies VALUES
    (11, 1, 'hardcover'), (21, 2, 'hardcover'), (22, 2, 'paperback'), (23, 2, 'large print'),
    (31, 3, 'paperback'), (41, 4, 'hardcover'), (51, 5, 'paperback'), (61, 6, 'large print'),
    (71, 7, 'paperback'), (81, 8, 'hardcover'), (82, 8, 'paperback');
