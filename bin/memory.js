// What has to stand before a process begins, for one that serves for weeks: the C library and V8 read it before any line of
// ours. Plain JavaScript, and nothing that is newer than Node.js 20: the launcher imports it.

/** Lets the process know that it was started with all of this. */
const SETTLED = '_TOLLGATE_MEMORY'

/**
 * The C library keeps what each thread frees in an arena of its own, and V8 lets the room for young objects grow to halves of
 * 16 MB and more: together some 70 MB that stay after a load (decision 0076). What is set already stays as it is.
 */
export function memorySettings({ env, execArgv }) {
  const flags = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ')
  return {
    args: flags.includes('semi-space-size') ? [] : ['--max-semi-space-size=8'],
    env: { MALLOC_ARENA_MAX: '1', ...env, [SETTLED]: '1' },
  }
}

/**
 * Whether this process should be replaced by one that begins with them: it serves, it can be replaced, and was started by
 * something else than the launcher, which gives them to what it starts. One with a channel to its parent would lose it.
 */
export function wantsMemorySettings({ argv, env, platform, execve, channel }) {
  if (env[SETTLED] !== undefined) return false
  return argv[2] === 'start' && platform === 'linux' && execve !== undefined && channel === undefined
}

/** No process that this one starts takes the mark for its own. */
export function forgetMemorySettings(env) {
  delete env[SETTLED]
}
