/** What `npm run mutate` changes, and the minimum percentage of mutants that the tests must notice. */
export const MUTATED = [
  { name: 'rating', folders: ['src/rating'], least: 85 },
  {
    name: 'lists',
    folders: ['src/files/csv', 'src/lists/columns', 'src/lists/output', 'src/lists/preview', 'src/lists/rows'],
    least: 75,
  },
] as const;

/** Their tests need neither Redis nor a server. */
export const TEST_FOLDERS = ['test/rating', 'test/files/csv', 'test/lists', 'test/catalog/agreement'] as const;

/** Tests of the amount of work per turn, on lists of millions of cells, and of files. Other tests state the results. */
export const LEFT_OUT: readonly string[] = [
  'test/files/csv/map-rows.test.ts',
  ...['amend', 'folder', 'identity', 'read-apart', 'read-grid-file'].map(
    (name) => `test/catalog/agreement/${name}.test.ts`,
  ),
];
