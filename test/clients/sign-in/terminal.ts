/** A terminal in which a client runs as a person uses it, by tmux. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findOrInstall } from '../../support/installed-tool.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { clientEnvironment } from '../run-client.ts'
import type { Computer } from './computer.ts'

export interface Terminal extends AsyncDisposable {
  /** What is to be seen now, without lines that are empty. */
  screen(): Promise<string>
  /** Waits until the text is to be seen; rejects with the screen where that takes too long. Resolves with the screen. */
  sees(text: string | RegExp): Promise<string>
  /** Presses keys by tmux's names, one after the other. */
  press(...keys: readonly string[]): Promise<void>
  /** Types a line and sends it. */
  enter(line: string): Promise<void>
  /** Goes to the choice that begins so, in a list with a pointer, and takes it. */
  choose(choice: string): Promise<void>
}

const LOOK_MS = 100
/** A client that redraws takes no key meanwhile. */
const BETWEEN_KEYS_MS = 250
const MOST_STEPS = 12

const run = promisify(execFile)

export async function openTerminal(computer: Computer, command: string): Promise<Terminal> {
  const socket = join(computer.home, 'terminal.sock')
  const all = join(computer.home, '..', `terminal-${computer.home.split('/').at(-1)}`)
  const program = await findOrInstall('tmux')
  const tmux = async (...args: readonly string[]) =>
    (await run(program, ['-S', socket, '-f', '/dev/null', ...args])).stdout
  const variables = { ...clientEnvironment(computer), TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const words = Object.entries(variables).map(([name, value]) => `${name}='${value}'`)
  const started = `exec env -i ${words.join(' ')} ${command}`
  await tmux('new-session', '-d', '-x', '160', '-y', '50', '-c', computer.work, started)
  await tmux('pipe-pane', `cat >> '${all}'`)
  const screen = async () => (await tmux('capture-pane', '-p', '-J').catch(() => '')).replaceAll(/^\s*\n/gm, '')
  const terminal: Terminal = {
    screen,
    async sees(text) {
      const until = performance.now() + PATIENCE_MS
      let now = await screen()
      const isThere = () => (typeof text === 'string' ? now.includes(text) : text.test(now))
      while (!isThere()) {
        if (performance.now() > until) throw new Error(`The terminal does not show ${String(text)} but:\n${now}`)
        await pause(LOOK_MS)
        now = await screen()
      }
      return now
    },
    async press(...keys) {
      for (const key of keys) {
        await tmux('send-keys', key)
        await pause(BETWEEN_KEYS_MS)
      }
    },
    async enter(line) {
      await tmux('send-keys', '-l', line)
      await pause(BETWEEN_KEYS_MS)
      await terminal.press('Enter')
    },
    async choose(choice) {
      await terminal.sees(choice)
      for (let step = 0; step < MOST_STEPS; step++) {
        if (new RegExp(`❯ (?:\\d\\. )?${choice}`).test(await screen())) return terminal.press('Enter')
        await terminal.press('Down')
      }
      throw new Error(`The pointer does not come to "${choice}":\n${await screen()}`)
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => '')
      computer.onPrinted(await readFile(all, 'utf8').catch(() => ''))
    },
  }
  return terminal
}
