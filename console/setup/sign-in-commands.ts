import { reachOf } from './address-reach.ts'

/** The clients that the command line sets up, by the ids that it and the setup of keys have for them. */
const SET_UP: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'opencode',
  'copilot-cli',
  'pi',
  'gemini-cli',
  'qwen-code',
  'aider',
  'kilo',
  'continue',
])

/** Whether programs can sign in to a gateway of this address: over HTTPS, or on its own machine. */
export function canSignIn(origin: string): boolean {
  return origin.startsWith('https:') || reachOf(origin) === 'machine'
}

/** What signs a machine in at a gateway and sets a client up, by its id or the ones that are found there; null: not this one. */
export function signInCommands(origin: string, client?: string): string | null {
  if (client !== undefined && !SET_UP.has(client)) return null
  const program = `npx -y ${origin}/client.tgz`
  return `${program} login ${origin}\n${program} use${client === undefined ? '' : ` ${client}`}`
}
