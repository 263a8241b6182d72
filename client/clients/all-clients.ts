import { shown } from '../gateway/shown.ts'
import { UsageFailure } from '../host.ts'
import { CLAUDE_CODE } from './claude-code.ts'
import type { ClientKind } from './client-kind.ts'
import { AIDER, BY_HAND, CONTINUE, GEMINI_CLI, KILO, QWEN_CODE } from './with-stored-secret.ts'
import { CODEX, COPILOT_CLI, OPENCODE, PI } from './with-token-command.ts'

/** The clients that this program sets up, in the order in which it asks about them. */
export const CLIENTS: readonly ClientKind[] = [
  CLAUDE_CODE,
  CODEX,
  COPILOT_CLI,
  PI,
  OPENCODE,
  GEMINI_CLI,
  QWEN_CODE,
  AIDER,
  KILO,
  CONTINUE,
]

/** The client of a name as people write it: its id, its name or its program. */
export function clientNamed(typed: string): ClientKind {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const found = CLIENTS.find(({ id, name, programs }) =>
    [id, name, ...programs].some((each) => plain(each) === plain(typed)),
  )
  if (found !== undefined) return found
  const names = [...CLIENTS.map(({ id }) => id), ...Object.keys(BY_HAND)]
  throw new UsageFailure(`"${shown(typed, 60)}" is not a client that this program knows. It knows ${names.join(', ')}.`)
}
