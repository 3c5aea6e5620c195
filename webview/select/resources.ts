/** Resources and keys as people read them, found once per state. */
import { resourceNames } from '../../src/core/resourceNames.ts';
import { perState } from './perState.ts';

/** The names that this state's resources go by. */
export const namesOf = perState(resourceNames);
