/** How often a test does what must not fail even once: a few times, or `ROUNDS` times for a long proof. */
export const rounds = (few: number): number => Number(process.env['ROUNDS'] ?? few);
