import type { Logger } from '../core/log.ts'

/**
 * Waits for what a reading writes down beside its answer: when something was first listed, that a token was used. Never rejects:
 * no reading fails for a write that can wait, and the next one makes it again.
 */
export async function noteInPassing(writing: Promise<unknown>, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await writing
  } catch (error) {
    log.warn({ err: error }, 'failed to write what a reading noted; the next one writes it')
  }
}
