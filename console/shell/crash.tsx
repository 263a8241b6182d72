import type { ReactNode } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { useSharedTexts } from '../dictionaries/shared.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'

/** In place of a page that could not be shown. */
export function Crash({ error }: { readonly error: unknown }): ReactNode {
  const t = useSharedTexts()
  const reload = (): void => location.reload()
  if (error instanceof ApiProblem) {
    return (
      <div className="mx-auto max-w-xl p-4">
        <ErrorState error={error} onRetry={reload} />
      </div>
    )
  }
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={t.crashed.title}
        action={
          <Button look="primary" icon="refresh" onClick={reload}>
            {t.crashed.action}
          </Button>
        }
      >
        {isOldVersion(error) ? t.newVersion : t.crashed.text}
      </EmptyState>
    </div>
  )
}

/** A file of the page is gone from the server: the console was updated since this tab was opened. */
function isOldVersion(error: unknown): boolean {
  return error instanceof TypeError && /import|module|fetch/i.test(error.message)
}
