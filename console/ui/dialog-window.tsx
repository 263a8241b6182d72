import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { type ConfirmDialogProps, DialogFoot, type DialogProps, FootContext } from './dialog-parts.tsx'
import { ErrorState } from './error-state.tsx'
import { IconButton } from './icon-button.tsx'
import { useDialogStack } from './use-dialog-stack.ts'
import type { FinalFocus } from './use-opener.ts'

const SIZES = {
  small: 'sm:max-w-md',
  medium: 'sm:max-w-xl',
  large: 'sm:max-w-3xl',
  tall: 'h-[94dvh] sm:h-[min(84dvh,46rem)] sm:max-w-3xl',
}

interface WithOpener {
  readonly finalFocus: FinalFocus
}

/** What a `Dialog` is drawn with, loaded when the first is opened. What was typed is not lost by a click that went astray. */
export function DialogWindow(props: DialogProps & WithOpener): ReactNode {
  const place = 'items-end justify-center sm:items-start sm:px-4 sm:py-[8dvh]'
  const shape = 'max-h-[94dvh] rounded-b-none sm:max-h-[84dvh] sm:rounded-b-lg'
  const size = SIZES[props.size ?? 'medium']
  return <Sheet {...props} place={place} shape={classNames(shape, size)} below="pb-4" disablePointerDismissal />
}

/** What a `Drawer` is drawn with. */
export function DrawerWindow(props: Omit<DialogProps, 'size'> & WithOpener): ReactNode {
  const shape =
    'h-dvh max-w-140 rounded-none border-y-0 border-r-0 data-ending-style:translate-x-3 data-starting-style:translate-x-3'
  return <Sheet {...props} place="justify-end" shape={shape} below="pb-6" />
}

function Sheet(
  props: Omit<DialogProps, 'size'> &
    WithOpener & {
      readonly place: string
      readonly shape: string
      /** The room below the content. */
      readonly below: string
      readonly disablePointerDismissal?: boolean
    },
): ReactNode {
  const isOnTop = useDialogStack(props.isOpen)
  const { popup, body, firstField } = useFirstField()
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <Base.Root
      open={props.isOpen}
      disablePointerDismissal={props.disablePointerDismissal ?? false}
      onOpenChange={(isOpen) => !isOpen && isOnTop() && props.onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Viewport className={classNames('fixed inset-0 z-40 flex', props.place)}>
          <Base.Popup
            ref={popup}
            initialFocus={firstField}
            finalFocus={props.finalFocus}
            className={classNames('popup flex w-full flex-col', props.shape)}
          >
            <DialogHead title={props.title} description={props.description} />
            <div
              ref={body}
              className={classNames('min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-1 sm:px-5', props.below)}
            >
              <FootContext value={foot}>{props.children}</FootContext>
            </div>
            <div ref={setFoot} className="border-t border-line px-4 py-3 empty:hidden sm:px-5" />
            {props.foot !== undefined && <DialogFoot>{props.foot}</DialogFoot>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** What a `ConfirmDialog` is drawn with. */
export function ConfirmWindow(props: ConfirmDialogProps & WithOpener): ReactNode {
  const t = useSharedTexts()
  const isOnTop = useDialogStack(props.isOpen)
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <BaseAlert.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && isOnTop() && props.onClose()}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={BACKDROP} />
        <BaseAlert.Viewport className="fixed inset-0 z-50 flex items-end justify-center sm:items-start sm:px-4 sm:py-[14dvh]">
          <BaseAlert.Popup
            // Whatever the question has in it: a key that was pressed once too often answers no.
            initialFocus={cancel}
            finalFocus={props.finalFocus}
            className="popup flex max-h-[94dvh] w-full flex-col rounded-b-none sm:max-w-md sm:rounded-b-lg"
          >
            <div className="min-h-0 overflow-y-auto px-4 py-4 sm:px-5">
              <BaseAlert.Title className="text-lg">{props.title}</BaseAlert.Title>
              <BaseAlert.Description render={<div />} className="mt-1.5 text-ink-2">
                <FootContext value={undefined}>{props.children}</FootContext>
                {props.error != null && (
                  <div className="mt-3">
                    <ErrorState error={props.error} />
                  </div>
                )}
              </BaseAlert.Description>
            </div>
            <DialogFoot>
              <BaseAlert.Close ref={cancel} render={<Button>{props.cancel ?? t.cancel}</Button>} />
              <Button
                look={props.isDangerous === true ? 'danger' : 'primary'}
                isBusy={props.isBusy ?? false}
                disabled={props.isDisabled ?? false}
                onClick={props.onConfirm}
              >
                {props.action}
              </Button>
            </DialogFoot>
          </BaseAlert.Popup>
        </BaseAlert.Viewport>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  )
}

function DialogHead({ title, description }: Pick<DialogProps, 'title' | 'description'>): ReactNode {
  const t = useSharedTexts()
  return (
    <div className="px-4 pt-4 pb-2 sm:px-5">
      <div className="flex items-start gap-3">
        <Base.Title className="min-w-0 flex-1 text-lg">{title}</Base.Title>
        {/* As high as one line of the title, however large the button is. */}
        <Base.Close
          render={<IconButton icon="close" label={t.close} className="-my-1.25 -mr-2 compact:-my-px touch:-my-2.5" />}
        />
      </div>
      {description !== undefined && <Base.Description className="mt-1 text-ink-2">{description}</Base.Description>}
    </div>
  )
}

const BACKDROP =
  'backdrop fixed inset-0 z-40 bg-[oklch(0.15_0_0/0.28)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

const CONTROLS =
  ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [type="hidden"], [tabindex="-1"])'
const FIELDS = ':is(input, select, textarea, [role="combobox"]):not([readonly])'

/**
 * Where the focus goes when a dialog opens: into its form, where it begins with one, so that typing can begin at once; and
 * otherwise to its first control. A touch opens no keyboard. What has the focus in it already keeps it: a field with
 * `autoFocus`, or the one that a form was opened for.
 */
function useFirstField(): {
  readonly popup: RefObject<HTMLDivElement | null>
  /** What stands below the head of the dialog. */
  readonly body: RefObject<HTMLDivElement | null>
  /** What to give to `initialFocus`. */
  firstField(openedBy: string): HTMLElement | true
} {
  const popup = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  return {
    popup,
    body,
    firstField: (openedBy) =>
      focusedIn(body.current) ?? (openedBy === 'touch' ? popup.current : fieldIn(body.current)) ?? true,
  }
}

function focusedIn(body: HTMLElement | null): HTMLElement | null {
  const focused = document.activeElement
  return focused instanceof HTMLElement && body?.contains(focused) === true ? focused : null
}

/** The first control, if it is a field; of radio buttons the one that is chosen. */
function fieldIn(body: HTMLElement | null): HTMLElement | null {
  const first = [...(body?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].find((each) => each.checkVisibility())
  if (first === undefined || !first.matches(FIELDS)) return null
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first
  return body?.querySelector<HTMLElement>(`input[name="${CSS.escape(first.name)}"]:checked`) ?? first
}
