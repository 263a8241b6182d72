import { useContext, useEffect, useId, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useSharedTexts } from '../dictionaries/texts.ts'
import type { Submission } from './use-submission.ts'
import { Collision } from './collision.tsx'
import { FootContext, FormContext } from '../ui/dialog-parts.tsx'
import { Icon } from '../ui/icon.tsx'
import { ErrorState } from '../ui/error-state.tsx'

/**
 * A form that is checked when it is sent and not before: nothing moves under the pointer. When something is wrong, the
 * first field that is gets the focus; what belongs to no field stands at the end, before the buttons. In a window these are
 * in its foot.
 */
export function Form(props: {
  readonly submission: Submission
  readonly label?: string
  readonly children: ReactNode
  /** The buttons; null: none. */
  readonly foot: ReactNode
  /** A part of a window that has other parts: its buttons stay with it. */
  readonly isPart?: boolean
  readonly className?: string
}): ReactNode {
  const { submission } = props
  const shared = useSharedTexts()
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const windowFoot = useContext(FootContext)
  useEffect(() => {
    if (submission.refusals === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submission.refusals])
  const foot = (
    <FormContext value={id}>
      {submission.general !== null && <ErrorState error={submission.general} />}
      {props.foot}
    </FormContext>
  )
  return (
    <form
      ref={form}
      id={id}
      noValidate
      aria-label={props.label}
      className={props.className ?? 'grid gap-4'}
      onSubmit={(event) => {
        event.preventDefault()
        submission.submit()
      }}
    >
      {submission.isBack === true && (
        <p className="flex gap-1.5 text-sm text-ink-2">
          <Icon name="info" className="mt-0.5" />
          <span>{shared.draftIsBack}</span>
        </p>
      )}
      {props.children}
      {submission.collision !== null && (
        <Collision
          problem={submission.collision.problem}
          isBusy={submission.isSending}
          onMine={submission.collision.keepMine}
          onTheirs={submission.collision.takeTheirs}
        />
      )}
      {windowFoot === undefined || props.isPart === true
        ? foot
        : windowFoot !== null &&
          (props.foot !== null || submission.general !== null) &&
          createPortal(<div className="grid gap-3">{foot}</div>, windowFoot)}
    </form>
  )
}
