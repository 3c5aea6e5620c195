import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createResourceTree } from '../../../src/core/plan/resourceTree.ts';
import { segmentsOf } from '../../../src/core/resources.ts';

interface Place {
  readonly parent: Place | undefined;
}

const resource = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '/', '/', ':', '*'), minLength: 1, maxLength: 10 }),
  fc
    .tuple(
      fc.constantFrom('', '/', 'file://', 'file:///', 'file:', 'memfs://host', '*'),
      fc.array(fc.constantFrom('a', 'b', '', '*'), { maxLength: 5 }),
    )
    .map(([start, path]) => start + path.join('/'))
    .filter((text) => text !== ''),
);

test('two spellings share a place exactly if they have the same segments, and it lies under what they lie under', () => {
  fc.assert(
    fc.property(fc.array(resource, { minLength: 2, maxLength: 12 }), (resources) => {
      const placeOf = createResourceTree((parent: Place | undefined): Place => ({ parent }));
      const places = resources.map(placeOf);
      for (const [one, text] of resources.entries()) {
        expect(placeOf(text)).toBe(places[one]);
        const path = segmentsOf(text);
        for (const [other, otherText] of resources.entries()) {
          const otherPath = segmentsOf(otherText);
          expect(places[one] === places[other], `${text} and ${otherText}`).toBe(
            path.join('\n') === otherPath.join('\n'),
          );
          const under =
            path.length < otherPath.length && path.every((segment, at) => segment === otherPath[at]);
          if (under) expect(ancestors(places[other]!), `${otherText} under ${text}`).toContain(places[one]);
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('a path of ten thousand folders is no trouble', () => {
  const placeOf = createResourceTree((parent: Place | undefined): Place => ({ parent }));
  expect(ancestors(placeOf(`/${'a/'.repeat(10_000)}b`))).toHaveLength(10_002);
});

function ancestors(place: Place): Place[] {
  const all: Place[] = [];
  for (let over = place.parent; over; over = over.parent) all.push(over);
  return all;
}
