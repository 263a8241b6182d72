/**
 * When Preact draws: in the order that React has, on which our forms and the libraries rely. Of itself Preact draws between
 * two listeners of one event, runs effects a frame later, and lets `flushSync` start a drawing inside of another.
 */
import { options } from 'preact'

/** The events of which React draws what they changed when all their handlers have run, before the next event. */
const DISCRETE = [
  'click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup pointercancel touchstart touchend',
  'touchcancel keydown keypress keyup focusin focusout beforeinput input change submit reset cut copy paste drop',
  'dragstart dragend compositionstart compositionend',
].flatMap((types) => types.split(' '))
/** Where no frame comes, as in a tab that is not shown. */
const LONGEST_FRAME_MS = 35

interface Order {
  /** Preact's queue of what is to be drawn, while it waits. */
  queue: (() => void) | null
  /** The effects of what was drawn, while they wait for its frame. */
  effects: (() => void) | null
  isDrawing: boolean
  /** Whether what is drawn next is owed to an event: its effects then do not wait for the frame. One drawing has that. */
  isOfEvent: boolean
  /** Events whose handlers are still being called, the outermost first. */
  readonly underWay: Event[]
  /** A box that a click has switched: its handlers hear of it with the event `change`, which follows the click at once. */
  switched: EventTarget | null
}

const ORDER = Symbol.for('tollgate.render-order')

/** One for each Preact: the development server has this file twice, once within the libraries. */
const order: Order = ((options as { [ORDER]?: Order })[ORDER] ??= {
  queue: null,
  effects: null,
  isDrawing: false,
  isOfEvent: false,
  underWay: [],
  switched: null,
})

/** Makes Preact draw in this order. Once, before anything is drawn. */
export function keepRenderOrder(): void {
  options.debounceRendering = (draw) => {
    order.queue = draw
    queueMicrotask(drawIfNoneUnderWay)
  }
  options.requestAnimationFrame = (run) => {
    order.effects = run
    afterNextFrame(() => {
      if (order.effects === run) runEffects()
    })
  }
  for (const type of DISCRETE) {
    addEventListener(type, begin, { capture: true, passive: true })
    document.body.addEventListener(type, end, { passive: true })
  }
}

/** Draws what `change` changes before it returns; where something is being drawn, right after that. React's `flushSync`. */
export function drawAtOnce<Result>(change: () => Result): Result {
  const result = change()
  drawNow()
  return result
}

/** Draws by `work`, in which `drawAtOnce` starts no other drawing. */
export function whileDrawing(work: () => void): void {
  const was = order.isDrawing
  order.isDrawing = true
  try {
    work()
  } finally {
    order.isDrawing = was
  }
}

function begin(event: Event): void {
  if (!hasEventUnderWay()) {
    // A call of `focus()` is not the time: what calls it may have more to change.
    if (!event.type.startsWith('focus')) runEffects()
    order.isOfEvent = true
    setTimeout(settle)
  }
  order.underWay.push(event)
}

function end(event: Event): void {
  const place = order.underWay.indexOf(event)
  if (place !== -1) order.underWay.splice(place, 1)
  if (event.type === 'change') order.switched = null
  if (event.type === 'click' && !event.defaultPrevented && isBox(event.target)) order.switched = event.target
  queueMicrotask(drawIfNoneUnderWay)
}

/** The task of the event is over, even of one that was stopped on its way. */
function settle(): void {
  order.underWay.length = 0
  order.switched = null
  drawIfNoneUnderWay()
  order.isOfEvent = false
}

function isBox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio')
}

function hasEventUnderWay(): boolean {
  for (let last = order.underWay.at(-1); last !== undefined; last = order.underWay.at(-1)) {
    if (last.eventPhase !== Event.NONE && !last.cancelBubble) return true
    order.underWay.pop()
  }
  return order.switched !== null
}

function drawIfNoneUnderWay(): void {
  if (!hasEventUnderWay()) drawNow()
}

function drawNow(): void {
  if (order.queue === null || order.isDrawing) return
  const draw = order.queue
  order.queue = null
  whileDrawing(draw)
  if (!order.isOfEvent) return
  // Once for each event: what these effects change is drawn next, and its own effects wait for the frame. Effects that
  // always change something would otherwise follow each other without an end, and no task would ever have its turn.
  order.isOfEvent = false
  runEffects()
}

/** Effects may ask for a drawing, which begins when all of them have run. */
function runEffects(): void {
  if (order.effects === null || order.isDrawing) return
  const run = order.effects
  order.effects = null
  whileDrawing(run)
}

function afterNextFrame(run: () => void): void {
  const done = (): void => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    setTimeout(run)
  }
  const timer = setTimeout(done, LONGEST_FRAME_MS)
  const frame = requestAnimationFrame(done)
}
