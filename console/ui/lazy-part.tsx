import { Component, Suspense, use, useEffect, useState, type ReactNode } from 'react'
import { checkBuild, onHealed } from '../api/connection.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { forgetFailures, loadedOnce, NotLoaded } from '../loaded-once.ts'
import { reportBroken } from '../report-broken.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { whenIdle } from './when-idle.ts'

export interface LazyPart<Props> {
  (props: Props): ReactNode
  /** Fetches it, for when it is likely to be wanted. */
  load(): void
}

/**
 * A part of a page whose code is fetched when the page has come to rest, at the latest when it is shown. Whatever goes
 * wrong in it leaves the page as it is: what could not be fetched appears when the gateway answers again. `fallback`:
 * what stands there meanwhile. `isForFew`: it is fetched when it is shown and not before.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: (props: Props) => ReactNode }>,
  fallback?: ReactNode,
  { isForFew = false }: { readonly isForFew?: boolean } = {},
): LazyPart<Props> {
  const file = loadedOnce(load)
  const Loaded = (props: Props): ReactNode => {
    const { default: Part } = use(file())
    return <Part {...props} />
  }
  const Lazy = (props: Props): ReactNode => (
    <PartBoundary>
      <Suspense fallback={fallback}>
        <Loaded {...props} />
      </Suspense>
    </PartBoundary>
  )
  if (!isForFew) whenIdle(() => void file())
  return Object.assign(Lazy, { load: () => void file() })
}

interface Failure {
  readonly error: unknown
}

/** Keeps what breaks in a part of the page from taking the page along. */
class PartBoundary extends Component<{ readonly children: ReactNode }, { readonly failure: Failure | null }> {
  override readonly state: { readonly failure: Failure | null } = { failure: null }
  private tries = 0

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: { error } }
  }

  override componentDidCatch(error: unknown): void {
    reportBroken(error)
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === null) return this.props.children
    const retry = (): void => {
      this.tries += 1
      forgetFailures()
      this.setState({ failure: null })
    }
    return <BrokenPart error={failure.error} tries={this.tries} onRetry={retry} />
  }
}

/** The number of tries, with a gateway that answers, after which the reader is asked what to do. */
const MOST_TRIES = 3
const RETRY_MS = 1_000

/** A file that did not come is fetched again by itself; what else broke is said at the foot of the window. */
function BrokenPart(props: { readonly error: unknown; readonly tries: number; onRetry(): void }): ReactNode {
  const t = useSharedTexts()
  const isMissing = props.error instanceof NotLoaded
  const [isGivenUp, setGivenUp] = useState(!isMissing)
  useRetry(isMissing, props, () => setGivenUp(true))
  // The shell says meanwhile that the gateway cannot be reached, or that the console was updated.
  if (!isGivenUp) return null
  return (
    <div className="popup fixed inset-x-4 bottom-20 z-50 mx-auto max-w-md lg:bottom-6">
      <Notice
        tone="bad"
        title={t.crashed.title}
        isLive
        action={
          <>
            <Button onClick={props.onRetry}>{t.tryAgain}</Button>
            <Button icon="refresh" onClick={() => location.reload()}>
              {t.crashed.action}
            </Button>
          </>
        }
      >
        {t.crashed.text}
      </Notice>
    </div>
  )
}

/** Tries again when the gateway answers: now, if it does, or when it is back. */
export function useRetry(
  isWanted: boolean,
  { tries, onRetry }: { readonly tries: number; onRetry(): void },
  onGiveUp: () => void,
): void {
  useEffect(() => {
    if (!isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const stop = onHealed(onRetry)
    const look = async (): Promise<void> => {
      const { kind } = await checkBuild()
      if (isOver || kind !== 'up') return
      if (tries >= MOST_TRIES) onGiveUp()
      else timer = setTimeout(onRetry, RETRY_MS * tries)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [isWanted])
}
