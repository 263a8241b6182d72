import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { ApiProblem, isUnreachable } from '../api/api-problem.ts'
import { checkConnection, onHealed } from '../api/connection.ts'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/**
 * Something could not be loaded or done: what, in the reader's language, and a way to try again. That the gateway cannot be
 * reached is said no longer than it is so.
 */
export function ErrorState({ error, onRetry }: { readonly error: unknown; onRetry?(): void }): ReactNode {
  const t = useSharedTexts()
  const text = useProblemText()
  const isBack = useIsBack(error)
  const requestId = error instanceof ApiProblem ? error.requestId : null
  return (
    <Notice
      tone={isBack ? 'neutral' : 'bad'}
      isLive
      action={
        onRetry === undefined ? undefined : (
          <Button icon="refresh" onClick={onRetry}>
            {t.tryAgain}
          </Button>
        )
      }
    >
      <p>{isBack ? t.connection.back : text(error)}</p>
      {requestId !== null && (
        <p className="mt-0.5 text-sm text-ink-2">
          {t.requestId} <code className="font-mono select-all">{requestId}</code>
        </p>
      )}
    </Notice>
  )
}

/** Whether the gateway, which gave no answer, answers again. */
function useIsBack(error: unknown): boolean {
  const [backAfter, setBackAfter] = useState<unknown>(null)
  useEffect(() => {
    if (!isUnreachable(error)) return
    let isOver = false
    const stop = onHealed(() => setBackAfter(error))
    const look = async (): Promise<void> => {
      const { kind } = await checkConnection()
      if (!isOver && kind !== 'down') setBackAfter(error)
    }
    void look()
    return () => {
      isOver = true
      stop()
    }
  }, [error])
  return error !== null && backAfter === error
}

/** Why the choices of a form, or a part of a list, are empty, where they could not be read. */
export function NotRead({ query }: { readonly query: UseQueryResult }): ReactNode {
  if (query.error === null || query.data !== undefined) return null
  return (
    <div className="mb-4">
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}
