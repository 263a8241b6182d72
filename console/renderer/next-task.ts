const waiting: (() => void)[] = []
const { port1: from, port2: to } = new MessageChannel()
from.addEventListener('message', () => waiting.shift()?.())
from.start()

/** Calls it in the next task. Not by a timer: those of a tab that is not shown wait for a second and longer. */
export function inNextTask(run: () => void): void {
  waiting.push(run)
  to.postMessage(null)
}
