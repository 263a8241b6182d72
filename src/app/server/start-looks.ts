/**
 * Calls `look` after `firstAfterMs` and then every `everyMs`, but not while the last call goes on. `look` says itself what fails,
 * and never rejects. `stop` resolves when the call that goes on has ended.
 */
export function startLooks(options: {
  readonly firstAfterMs: number
  readonly everyMs: number
  look(): Promise<void>
}): {
  stop(): Promise<void>
} {
  const { firstAfterMs, everyMs } = options
  let running: Promise<void> | null = null
  const look = () => {
    running ??= options.look().finally(() => {
      running = null
    })
  }
  const first = setTimeout(look, firstAfterMs).unref()
  const timer = setInterval(look, everyMs).unref()
  return {
    async stop() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
