import { describe, expect, test } from 'vitest';
import { createPlaces, type Place } from '../../src/sandbox/fair-slots.ts';
import { soon } from '../soon.ts';

describe('places', () => {
  /** Who runs, in the order of their turns. */
  const scene = () => {
    const places = createPlaces({ atOnce: 2, perClient: 4, inAll: 10 });
    const turns: string[] = [];
    const enter = (client: string): Place => {
      const place = places.enter(client);
      if (place === undefined) throw new Error(`${client} was refused`);
      void place.turn().then(() => turns.push(client));
      return place;
    };
    return { places, turns, enter };
  };

  test('a client has one turn at a time, and clients take turns', async () => {
    const { turns, enter } = scene();
    const greedy = [enter('a'), enter('a'), enter('a')];
    const other = enter('b');
    const late = enter('c');
    await soon(() => expect(turns).toEqual(['a', 'b']));
    greedy[0]?.leave();
    await soon(() => expect(turns).toEqual(['a', 'b', 'c']));
    other.leave();
    await soon(() => expect(turns).toEqual(['a', 'b', 'c', 'a']));
    late.leave();
    greedy[1]?.leave();
    await soon(() => expect(turns).toEqual(['a', 'b', 'c', 'a', 'a']));
  });

  test('a client that has its share under way is refused, and others are not', () => {
    const { places, enter } = scene();
    const [first] = [enter('a'), enter('a'), enter('a'), enter('a')];
    expect(places.enter('a')).toBeUndefined();
    expect(places.enter('b')).toBeDefined();
    first?.leave();
    expect(places.enter('a')).toBeDefined();
  });

  test('all clients together have no more under way than there is room for', () => {
    const { places, enter } = scene();
    for (let at = 0; at < 10; at++) enter(`client ${at}`);
    expect(places.enter('another')).toBeUndefined();
  });

  test('a place that is left before its turn gives nothing away', async () => {
    const places = createPlaces({ atOnce: 1, perClient: 2, inAll: 10 });
    places.enter('a')?.leave();
    const turns: string[] = [];
    const place = places.enter('a');
    await place?.turn();
    void places
      .enter('b')
      ?.turn()
      .then(() => turns.push('b'));
    places.enter('a')?.leave();
    expect(turns).toEqual([]);
    place?.leave();
    await soon(() => expect(turns).toEqual(['b']));
  });
});
