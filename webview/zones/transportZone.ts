/** Zone H: step, play, position, speed, and whether the run is followed. */
import { el, setAttribute, setText } from '../dom.ts';
import { SPEEDS } from '../playback.ts';
import { behindText, cursorText, isLive, momentText, positionText } from '../select/transport.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';
import { createPositionSlider } from './slider.ts';

export interface TransportActions extends PanelActions {
  pace(speed: number | 'fit'): void;
  goTo(cursor: number | undefined): void;
}

export interface TransportZone extends PageZone {
  focusGoTo(): void;
}

export function createTransportZone(actions: TransportActions): TransportZone {
  return new Transport(actions);
}

class Transport implements TransportZone {
  readonly element: HTMLElement;
  private readonly actions: TransportActions;
  private readonly play: HTMLElement;
  private readonly back: HTMLElement;
  private readonly forward: HTMLElement;
  private readonly slider;
  private readonly position = el('button', { type: 'button', class: 'plain position num', tabindex: -1 });
  private readonly goTo = el('form', { class: 'go-to', hidden: true });
  private readonly goToInput = el('input', {
    type: 'number',
    id: 'go-to',
    class: 'go-to-input num',
    min: 0,
    step: 1,
  });
  private readonly what = el('p', { class: 'what' });
  private readonly speed: HTMLSelectElement;
  private readonly live = el('span', { class: 'live-state' });
  private readonly followButton = el('button', { type: 'button', class: 'secondary follow', hidden: true });
  private view: PageView | undefined;

  constructor(actions: TransportActions) {
    this.actions = actions;
    this.slider = createPositionSlider((cursor) => actions.seek(cursor));
    // Steps are on the arrow keys, which work on every control of this zone: one Tab stop is enough for the three.
    this.back = iconButton('icon-back', 'Step back', -1, () => actions.page('step-back'));
    this.play = iconButton('icon-play', 'Play', 0, () => actions.page('play-pause'));
    this.forward = iconButton('icon-forward', 'Step forward', -1, () => actions.page('step-forward'));
    this.speed = el(
      'select',
      { class: 'speed', 'aria-label': 'Speed' },
      ...SPEEDS.map((speed) => el('option', { value: speed }, `${speed}×`)),
      el('option', { value: 'fit' }, 'fit 10 s'),
    );
    this.goTo.append(el('label', { for: 'go-to' }, 'Go to event'), this.goToInput);
    this.element = el(
      'footer',
      { class: 'zone-transport', 'data-zone': 'transport' },
      el('div', { class: 'transport-buttons' }, this.back, this.play, this.forward),
      el('div', { class: 'transport-position' }, this.position, this.goTo, this.what),
      this.slider.element,
      this.speed,
      this.live,
      this.followButton,
    );
    this.listen();
  }

  focusGoTo(): void {
    setAttribute(this.goTo, 'hidden', undefined);
    this.goToInput.value = String(this.view?.cursor ?? 0);
    this.goToInput.focus();
    this.goToInput.select();
  }

  update(view: PageView): void {
    this.view = view;
    const live = isLive(view);
    const none = view.log.length === 0;
    setAttribute(this.element, 'hidden', none);
    if (none) return;
    this.slider.update(view);
    const moving = view.playing || (live && view.following);
    setAttribute(this.play, 'aria-label', moving ? 'Pause' : 'Play');
    setAttribute(
      this.play.firstElementChild ?? this.play,
      'class',
      `icon ${moving ? 'icon-pause' : 'icon-play'}`,
    );
    setAttribute(this.back, 'aria-disabled', view.cursor === 0 ? 'true' : undefined);
    setAttribute(this.forward, 'aria-disabled', view.following ? 'true' : undefined);
    setAttribute(this.goTo, 'hidden', !view.goingTo);
    setAttribute(this.position, 'hidden', view.goingTo);
    setAttribute(this.goToInput, 'max', view.log.length);
    setText(this.position, positionText(view));
    setAttribute(this.position, 'aria-label', `${positionText(view)}, go to another`);
    setText(this.what, cursorText(view).replace(/^event [\d,]+, /, ''));
    const pace = view.fit ? 'fit' : String(view.speed);
    if (this.speed.value !== pace) this.speed.value = pace;
    this.updateLive(view, live);
  }

  private updateLive(view: PageView, live: boolean): void {
    setAttribute(this.live, 'hidden', !live);
    setAttribute(this.followButton, 'hidden', !live || view.following);
    setAttribute(this.live, 'class', view.following ? 'live-state live-on' : 'live-state');
    if (!live) return;
    setText(this.live, view.following ? 'Live' : `${momentText(view)} · ${behindText(view)}`);
    setText(this.followButton, 'Follow (L)');
  }

  private listen(): void {
    const { actions } = this;
    this.position.addEventListener('click', () => actions.page('go-to-step'));
    this.followButton.addEventListener('click', () => actions.page('follow-live'));
    this.speed.addEventListener('change', () =>
      actions.pace(this.speed.value === 'fit' ? 'fit' : Number(this.speed.value)),
    );
    this.goTo.addEventListener('submit', (event) => {
      event.preventDefault();
      actions.goTo(Number(this.goToInput.value));
    });
    this.goToInput.addEventListener('keydown', (event) => {
      // The form has no button, and the page's forms are not submitted anywhere.
      if (event.key !== 'Enter') return;
      event.preventDefault();
      actions.goTo(Number(this.goToInput.value));
    });
  }
}

function iconButton(icon: string, label: string, tabindex: number, run: () => void): HTMLElement {
  const button = el(
    'button',
    { type: 'button', class: 'plain icon-button', 'aria-label': label, tabindex },
    el('span', { class: `icon ${icon}` }),
  );
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') run();
  });
  return button;
}
