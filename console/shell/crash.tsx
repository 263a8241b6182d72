import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiProblem, isUnreachable } from '../api/api-problem.ts'
import { useConnection } from '../api/connection.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { forgetFailures, NotLoaded } from '../loaded-once.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { useRetry } from '../ui/lazy-part.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { Logo } from './logo.tsx'

/** Shown in place of a page that could not be. What could not be fetched is fetched again by itself. */
export function Crash({ error }: { readonly error: unknown }): ReactNode {
  const t = useSharedTexts()
  const router = useRouter()
  const connection = useConnection()
  const isMissing = error instanceof NotLoaded || isUnreachable(error)
  const [isGivenUp, setGivenUp] = useState(!isMissing)
  const onRetry = (): void => {
    forgetFailures()
    void router.invalidate()
  }
  useRetry(isMissing, { tries: 1, onRetry }, () => setGivenUp(true))
  if (connection.kind === 'updated' && isMissing) {
    return <Stopped title={t.updated} text={t.newVersion} />
  }
  if (connection.kind === 'down' && isMissing) {
    return (
      <EmptyState icon="warning" title={t.connection.down} action={<Button onClick={onRetry}>{t.tryAgain}</Button>}>
        {t.connection.pageFollows}
      </EmptyState>
    )
  }
  if (!isGivenUp) return <PageSkeleton />
  if (error instanceof ApiProblem) {
    return (
      <div className="mx-auto max-w-xl p-4">
        <ErrorState error={error} onRetry={onRetry} />
      </div>
    )
  }
  return <Stopped title={t.crashed.title} text={t.crashed.text} />
}

function Stopped({ title, text }: { readonly title: string; readonly text: string }): ReactNode {
  const t = useSharedTexts()
  return (
    <div role="alert">
      <EmptyState
        icon="warning"
        title={title}
        action={
          <Button look="primary" icon="refresh" onClick={() => location.reload()}>
            {t.crashed.action}
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}

/** `Crash` where the shell or the frame of the page could not be shown either: with the connection's state above it. */
export function FramedCrash({ error }: { readonly error: unknown }): ReactNode {
  return (
    <div className="min-h-dvh">
      <header className="px-4 py-4 sm:px-6">
        <Logo />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-5xl min-w-0 px-4 pt-2 pb-10 outline-none sm:px-6"
      >
        <ConnectionStrip />
        <Crash error={error} />
      </main>
    </div>
  )
}
