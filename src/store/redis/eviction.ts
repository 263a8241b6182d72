import type { Logger } from '../../core/log.ts'

/** What `INFO memory` of Redis and Valkey has a line each for. */
const LIMIT = 'maxmemory'
const POLICY = 'maxmemory_policy'

/**
 * Whether a server with this answer to `INFO memory` removes entries of its own accord when its memory is full; the name of the
 * policy by which it does. null: it does not, or does not say.
 */
function evictionPolicy(memory: string): string | null {
  const said = new Map(memory.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), afterColon(line)]))
  const policy = said.get(POLICY)
  const isBounded = Number(said.get(LIMIT) ?? 0) > 0
  return isBounded && policy !== undefined && policy !== 'noeviction' ? policy : null
}

/** Said once for each policy: what is evicted is counted anew, and nothing else shows it. */
export function evictionWarning(log: Pick<Logger, 'warn'>): (memory: string) => void {
  let said: string | null = null
  return (memory) => {
    const policy = evictionPolicy(memory)
    if (policy !== null && policy !== said) {
      log.warn(
        { policy },
        'Redis evicts entries when its memory is full, and forgets requests that were counted: set maxmemory-policy to noeviction',
      )
    }
    said = policy
  }
}

function afterColon(line: string): string {
  return line.slice(line.indexOf(':') + 1)
}
