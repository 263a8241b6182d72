import type { Environment } from '../installation/environment.ts'
import type { OpenInstallation } from '../opening/open-installation.ts'
import { applyDeclarativeFile } from '../declarative/apply-declarative.ts'
import { type DeclarativeFile, readDeclarativeFile } from '../declarative/declarative-file.ts'
import type { Logger } from '../../core/log.ts'

/** What a file is applied to while the gateway runs. */
export interface ApplyContext {
  readonly installation: OpenInstallation
  readonly log: Logger
  /** Epoch milliseconds. */
  nowMs(): number
}

/** Applies a file, and logs what was different. */
export async function applyAndLog(file: DeclarativeFile, { installation, log, nowMs }: ApplyContext): Promise<void> {
  const { changes, warnings } = await applyDeclarativeFile(file, { ...installation, nowMs: nowMs() })
  if (changes.length > 0) log.info({ changes }, 'applied the declarative file')
  for (const warning of warnings) log.warn(warning)
}

/**
 * Reads a file anew and applies it each time it is called, one time after the other: calls that come while it is at work make
 * one more time together. A file that is wrong changes nothing, and the log says what is wrong with it.
 */
export function applyAgain(path: string, about: ApplyContext & { readonly environment: Environment }): () => void {
  let isAtWork = false
  let isAsked = false
  const work = async () => {
    isAtWork = true
    while (isAsked) {
      isAsked = false
      try {
        await applyAndLog(await readDeclarativeFile(path, about.environment), about)
        about.log.info('read the declarative file again')
      } catch (error) {
        about.log.error({ err: error }, 'failed to apply the declarative file: everything stays as it is')
      }
    }
    isAtWork = false
  }
  return () => {
    isAsked = true
    if (!isAtWork) void work()
  }
}
