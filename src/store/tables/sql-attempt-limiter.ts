import { GUESS_COUNTS_MS, type Guess, type AttemptLimiter } from '../../access/attempt-limiter.ts'
import { SqlStore } from '../engine/database.ts'
import { lockId } from '../engine/rows-by-id.ts'

export class SqlAttemptLimiter extends SqlStore implements AttemptLimiter {
  enter({ id, about, asker, limit, nowMs }: Guess): Promise<{ kind: 'open' } | { kind: 'locked'; untilMs: number }> {
    return this.database.transaction(async (transaction) => {
      await transaction
        .deleteFrom('guesses')
        .where('guessed_at', '<=', nowMs - GUESS_COUNTS_MS)
        .execute()
      await transaction.insertInto('guesses').values({ id, about, asker, guessed_at: nowMs }).execute()
      // Of many at once each waits here for those before it, and then sees what they wrote.
      await lockId(transaction, 'accounts', asker)
      const others = await transaction
        .selectFrom('guesses')
        .select('guessed_at')
        .where('asker', '=', asker)
        .where('about', '=', about)
        .where('id', '<>', id)
        .orderBy('guessed_at')
        .execute()
      if (others.length < limit) return { kind: 'open' } as const
      await transaction.deleteFrom('guesses').where('id', '=', id).execute()
      return { kind: 'locked', untilMs: (others.at(-limit)?.guessed_at ?? nowMs) + GUESS_COUNTS_MS } as const
    })
  }

  async refund(guessId: string): Promise<void> {
    await this.database.kysely.deleteFrom('guesses').where('id', '=', guessId).execute()
  }
}
