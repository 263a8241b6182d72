// An agent that is started once and asked over its standard streams, one JSON object a line, as editors do it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * Starts it and calls `use` with `send`, to write an object, and `next`, which resolves with the next object it prints that
 * passes `isIt`; `onOther` gets those before it. Rejects when the agent ends first. The agent is ended afterwards; one that
 * does not end is killed with this program, which gets as long as any client.
 */
export async function withAgent([command, ...args], use) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = (object) => void child.stdin.write(`${JSON.stringify(object)}\n`)
  const next = async (isIt, onOther = () => {}) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${command} ended`)
      const object = value.startsWith('{') ? JSON.parse(value) : undefined
      if (object === undefined) continue
      if (isIt(object)) return object
      onOther(object)
    }
  }
  try {
    await use({ send, next })
  } finally {
    // As editors do it: then it keeps what it has compiled.
    child.stdin.end()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}
