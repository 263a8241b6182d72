// Plain JavaScript, and nothing that is newer than Node.js 20: the launcher imports it.
const NPM_LOOK_MS = 250

/**
 * npm puts a shell between itself and us, and a SIGTERM for npm ends only that shell: we would run on, unseen, and keep
 * the port. The shell's end is taken for the signal it swallowed.
 */
export function whenNpmIsGone(stop) {
  if (process.env.npm_command === undefined || process.platform === 'win32') return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, NPM_LOOK_MS)
  watch.unref()
}
