/** A settle or a grant takes milliseconds: what takes this long never comes. */
export const STATEMENT_MS = 30_000
const LOCK_MS = 10_000
/** A node that freezes in the middle of a transaction must not keep a budget locked for the others. */
const IDLE_IN_TRANSACTION_MS = 10_000

const LIMITS = {
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
}

/**
 * Sets what every statement here relies on, for the session or for a transaction alone. Besides the limits: a charge that was
 * acknowledged must outlive the server, whatever its configuration is content with; no statement is compiled or given workers
 * of its own, since those of the lists and sums take less than the compilation, or than the start of a worker for each.
 */
export function settingsFor(scope: 'session' | 'transaction'): string {
  const isLocal = scope === 'transaction'
  const limits = Object.entries(LIMITS).map(([name, ms]) => `set_config('${name}', '${ms}', ${isLocal})`)
  return `select ${limits.join(', ')},
    case when current_setting('jit', true) = 'on' then set_config('jit', 'off', ${isLocal}) end,
    case when current_setting('max_parallel_workers_per_gather') <> '0'
      then set_config('max_parallel_workers_per_gather', '0', ${isLocal}) end,
    case when current_setting('synchronous_commit') in ('off', 'local')
      then set_config('synchronous_commit', 'on', ${isLocal}) end`
}
