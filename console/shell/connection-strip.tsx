import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { checkConnection, useConnection } from '../api/connection.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useNow } from '../ui/use-now.ts'

/** Above every page while the gateway cannot be reached, and when it serves a newer console. Nothing else. */
export function ConnectionStrip(): ReactNode {
  const connection = useConnection()
  if (connection.kind === 'up') return null
  return (
    <div className="sticky top-14 z-20 -mx-1 mb-4 rounded-lg bg-ground p-1 lg:top-0">
      {connection.kind === 'updated' ? <Updated /> : <Down nextTryMs={connection.nextTryMs} />}
    </div>
  )
}

function Updated(): ReactNode {
  const t = useSharedTexts()
  return (
    <Notice
      tone="accent"
      isLive
      action={
        <Button icon="refresh" onClick={() => location.reload()}>
          {t.crashed.action}
        </Button>
      }
    >
      {t.newVersion}
    </Notice>
  )
}

/** What is wrong is said aloud once; the seconds are only shown. */
function Down({ nextTryMs }: { readonly nextTryMs: number | null }): ReactNode {
  const { connection: t, sentences } = useSharedTexts()
  const format = useFormat()
  const nowMs = useNow('second')
  const shownSinceMs = ageOf(useQueryClient())
  const seconds = nextTryMs === null ? 0 : Math.max(0, Math.ceil((nextTryMs - nowMs) / 1_000))
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0">
          <span role="alert">{shownSinceMs === null ? t.down : t.notRefreshed}</span>
          {sentences(['', ...(shownSinceMs === null ? [] : [t.asOf(format.clock(shownSinceMs, nowMs))]), ''])}
          <span aria-hidden="true" className="text-ink-2">
            {seconds === 0 ? t.trying : t.nextTry(seconds)}
          </span>
        </p>
        <Button look="quiet" className="ml-auto" disabled={nextTryMs === null} onClick={() => void checkConnection()}>
          {t.tryNow}
        </Button>
      </div>
    </Notice>
  )
}

/**
 * When the oldest of what the page shows was read, epoch milliseconds: of what failed to be read again, if anything did.
 * null: the page shows nothing that was read.
 */
function ageOf(client: QueryClient): number | null {
  const shown = client
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ state }) => state.dataUpdatedAt > 0)
  const failed = shown.filter(({ state }) => state.fetchFailureCount > 0)
  const times = (failed.length > 0 ? failed : shown).map(({ state }) => state.dataUpdatedAt)
  return times.length === 0 ? null : Math.min(...times)
}
