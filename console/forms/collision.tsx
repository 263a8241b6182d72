import { useEffect, useRef, type ReactNode } from 'react'
import { ApiProblem } from '../api/api-problem.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from '../ui/button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Notice } from '../ui/notice.tsx'

// Few edits collide: the words of all objects are fetched when one does.
const Differences = lazyPart(() => import('../differences/differences.tsx'), null, { isForFew: true })

/** The refusal of an edit whose object was changed since it was read; null: it is none. */
export function collisionIn(error: unknown): ApiProblem | null {
  return error instanceof ApiProblem && error.version !== null ? error : null
}

/** Both versions of each field that differs, and which of them is to stand. */
export function Collision(props: {
  readonly problem: ApiProblem
  /** First, instead of that the object was changed: where a title above says so. */
  readonly lead?: string
  readonly isBusy: boolean
  onMine(): void
  onTheirs(): void
}): ReactNode {
  const t = useSharedTexts().collision
  const { path, differences } = props.problem
  const head = useRef<HTMLParagraphElement>(null)
  // What was pressed is at the foot of a long form: without this nothing would seem to happen.
  useEffect(() => {
    head.current?.focus()
  }, [])
  return (
    <Notice tone="warn" isLive>
      <p ref={head} tabIndex={-1} className="font-medium outline-none">
        {props.lead ?? t.title}
      </p>
      {differences.length === 0 ? (
        <p className="text-sm text-ink-2">{t.onlyOthers}</p>
      ) : (
        <Differences path={path} differences={differences} />
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={props.onTheirs}>{t.takeTheirs}</Button>
        <Button isBusy={props.isBusy} onClick={props.onMine}>
          {t.keepMine}
        </Button>
      </div>
    </Notice>
  )
}
