/** The rules by which calls are placed and run (DESIGN section 10), one sentence each. */

export const RULES = {
  R1: 'A safe call without a key joins the earliest open wave.',
  R2: 'A wave holds a key once.',
  R3: 'A closed wave takes nobody.',
  R4: 'An unsafe call opens a wave of its own, closed.',
  R5: 'When no wave fits, open a new one.',
  R6: 'At most as many calls run as there are permits, first come, first served.',
  R7: 'A wave starts when the one before has ended.',
  R8: 'Results stand in request order, whatever the completion order.',
  R9: 'A soft error fills its slot; the batch goes on.',
  R10: 'A hard error stops starting calls.',
  R11: 'Cancelled.',
  R12: 'A safe call continues the batch of safe calls before it.',
  R13: 'An unsafe call ends the batch and stands alone.',
  R14: 'Waits for exactly the earlier calls it conflicts with.',
  R15: 'One call a wave.',
} as const;

export type RuleId = keyof typeof RULES;
