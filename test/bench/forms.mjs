// Two other forms of every strategy, to compare with: the published rule read literally, which scans, and the exact
// linear form with nothing around it: waves only, no decisions.

/** The waves by the rule. */
export function planByRule(core, declarations, strategy) {
  if (strategy === 'first-fit') return scanFirstFit(declarations);
  if (strategy === 'dataflow') return levelsOfPairs(core, declarations);
  return planBare(core, declarations, strategy);
}

/** The waves in linear time. */
export function planBare(core, declarations, strategy) {
  switch (strategy) {
    case 'sequential':
      return bareSequential(declarations);
    case 'batches':
      return bareBatches(declarations);
    case 'first-fit':
      return bareFirstFit(declarations);
    default:
      return bareLevels(core, declarations);
  }
}

function bareSequential(declarations) {
  const waves = [];
  for (let call = 0; call < declarations.length; call++) waves.push([call]);
  return waves;
}

function bareBatches(declarations) {
  const waves = [];
  let open;
  for (let call = 0; call < declarations.length; call++) {
    const { safe } = declarations[call];
    if (safe && open) open.push(call);
    else {
      const wave = [call];
      waves.push(wave);
      open = safe ? wave : undefined;
    }
  }
  return waves;
}

/** The j-th call with a key lands in the j-th open wave. */
function bareFirstFit(declarations) {
  const waves = [];
  const open = [];
  const uses = new Map();
  for (let call = 0; call < declarations.length; call++) {
    const { safe, key } = declarations[call];
    if (!safe) {
      waves.push([call]);
      continue;
    }
    let nth = 0;
    if (key !== undefined) {
      nth = uses.get(key) ?? 0;
      uses.set(key, nth + 1);
    }
    if (nth < open.length) open[nth].push(call);
    else {
      const wave = [call];
      waves.push(wave);
      open.push(wave);
    }
  }
  return waves;
}

function scanFirstFit(declarations) {
  const waves = [];
  for (let call = 0; call < declarations.length; call++) {
    const { safe, key } = declarations[call];
    let wave = safe
      ? waves.find(({ open, keys }) => open && (key === undefined || !keys.has(key)))
      : undefined;
    if (!wave) {
      wave = { members: [], open: safe, keys: new Set() };
      waves.push(wave);
    }
    wave.members.push(call);
    if (key !== undefined) wave.keys.add(key);
  }
  return waves.map(({ members }) => members);
}

/** Order-keeping levels over a tree of resources: a place knows the highest level that touched it, and that wrote. */
function bareLevels({ createResourceTree }, declarations) {
  const waves = [];
  const placeOf = createResourceTree((parent) => ({
    parent,
    touched: -1,
    wrote: -1,
    touchedBelow: -1,
    wroteBelow: -1,
  }));
  for (let call = 0; call < declarations.length; call++) {
    let highest = -1;
    const { accesses } = declarations[call];
    for (const { resource, mode } of accesses) {
      const own = placeOf(resource);
      highest = Math.max(highest, mode === 'write' ? own.touchedBelow : own.wroteBelow);
      for (let place = own; place; place = place.parent)
        highest = Math.max(highest, mode === 'write' ? place.touched : place.wrote);
    }
    const level = highest + 1;
    for (const { resource, mode } of accesses) {
      const own = placeOf(resource);
      own.touched = Math.max(own.touched, level);
      if (mode === 'write') own.wrote = Math.max(own.wrote, level);
      for (let place = own; place; place = place.parent) {
        place.touchedBelow = Math.max(place.touchedBelow, level);
        if (mode === 'write') place.wroteBelow = Math.max(place.wroteBelow, level);
      }
    }
    if (waves[level]) waves[level].push(call);
    else waves[level] = [call];
  }
  return waves;
}

/** Every pair is looked at. */
function levelsOfPairs({ firstConflict }, declarations) {
  const waves = [];
  const levels = [];
  for (let call = 0; call < declarations.length; call++) {
    let level = 0;
    for (let earlier = 0; earlier < call; earlier++) {
      if (
        levels[earlier] >= level &&
        firstConflict(declarations[earlier].accesses, declarations[call].accesses)
      )
        level = levels[earlier] + 1;
    }
    levels.push(level);
    if (waves[level]) waves[level].push(call);
    else waves[level] = [call];
  }
  return waves;
}
