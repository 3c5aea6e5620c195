import { describe, expect, it } from 'vitest';
import { PAGE_ACTIONS } from '../../../src/protocol/messages.ts';
import { COMMANDS, commandForAction, commandForKey, keyLabel, keyOf } from '../../../webview/commands.ts';

describe('the command table', () => {
  it('has one command for every action of the palette', () => {
    for (const action of PAGE_ACTIONS) expect(commandForAction(action)?.label).toBeTruthy();
  });

  it('gives no key to two commands', () => {
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([
    [' ', 'play-pause'],
    ['ArrowRight', 'step-forward'],
    ['Shift+ArrowLeft', 'previous-wave'],
    ['Home', 'first-step'],
    ['End', 'latest-step'],
    ['g', 'go-to-step'],
    ['[', 'slower'],
    [']', 'faster'],
    ['l', 'follow-live'],
    ['+', 'zoom-in'],
    ['-', 'zoom-out'],
    ['0', 'zoom-all'],
    ['f', 'zoom-selection'],
    ['Enter', 'open-why'],
    ['e', 'next-error'],
    ['Shift+E', 'previous-error'],
    ['/', 'find'],
    ['Ctrl+f', 'find'],
    ['t', 'toggle-table'],
    ['?', 'help'],
    ['Escape', 'escape'],
    ['F6', 'next-zone'],
  ])('%s is %s', (key, id) => {
    expect(commandForKey(key)?.id).toBe(id);
  });

  it('reads key presses as people type them', () => {
    const press = (key: string, more = {}) =>
      keyOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('E', { shiftKey: true })).toBe('Shift+E');
    expect(press('E')).toBe('e'); // Caps Lock
    expect(press('f', { metaKey: true })).toBe('Ctrl+f');
    expect(press('ArrowRight', { shiftKey: true })).toBe('Shift+ArrowRight');
    expect(keyLabel('Shift+ArrowRight')).toBe('Shift+→');
    expect(keyLabel('+')).toBe('+');
    expect(keyLabel(' ')).toBe('Space');
  });
});
