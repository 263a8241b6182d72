import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Something could not be loaded or done: what, in the reader's language, and a way to try again. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; onRetry?(): void }): ReactNode {
  const t = useSharedTexts()
  const text = useProblemText()
  const requestId = error instanceof ApiProblem ? error.requestId : null
  return (
    <Notice
      tone="bad"
      isLive
      action={
        onRetry === undefined ? undefined : (
          <Button icon="refresh" onClick={onRetry}>
            {t.tryAgain}
          </Button>
        )
      }
    >
      <p>{text(error)}</p>
      {requestId !== null && (
        <p className="mt-0.5 text-sm text-ink-2">
          {t.requestId} <code className="font-mono select-all">{requestId}</code>
        </p>
      )}
    </Notice>
  )
}

/** Why the choices of a form are empty, where they could not be read. */
export function NotRead({ query }: { readonly query: UseQueryResult }): ReactNode {
  if (query.error === null || query.data !== undefined) return null
  return (
    <div className="mb-4">
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    </div>
  )
}
