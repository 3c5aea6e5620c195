/** Resources as a tree (DESIGN section 2): each has one place, however often it is touched and however it is spelled. */
import { EVERYTHING } from '../model.ts';
import { segmentsOf } from '../resources.ts';

/** Finds the place of a resource; `make` makes it, under the place that it lies right under (the top under none). */
export function createResourceTree<P>(make: (parent: P | undefined) => P): (resource: string) => P {
  const root = make(undefined);
  /** By the plain spelling: segments with single slashes between them. */
  const places = new Map<string, P>();
  const otherSpellings = new Map<string, P>();

  const add = (name: string, parent: P) => {
    const place = make(parent);
    places.set(name, place);
    return place;
  };
  /** From the top, segment by segment. */
  const walk = (resource: string) => {
    let place = root;
    let name: string | undefined;
    for (const segment of segmentsOf(resource)) {
      name = name === undefined ? segment : name === '/' ? `/${segment}` : `${name}/${segment}`;
      place = places.get(name) ?? add(name, place);
    }
    if (name !== resource) otherSpellings.set(resource, place);
    return place;
  };

  return (resource) => {
    if (resource === EVERYTHING) return root;
    const known = places.get(resource);
    if (known) return known;
    // The next file of a folder that is known by its plain spelling: no need to take the whole path apart.
    const slash = resource.lastIndexOf('/');
    const folder = slash < resource.length - 1 ? resource.slice(0, Math.max(0, slash)) : '';
    const parent = folder === '/' ? undefined : places.get(folder); // `//a` is another spelling of `/a`
    if (parent) return add(resource, parent);
    return otherSpellings.get(resource) ?? walk(resource);
  };
}
