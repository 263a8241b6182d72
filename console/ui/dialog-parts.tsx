import { createContext, type ReactNode } from 'react'

export interface DialogProps {
  readonly isOpen: boolean
  /** Called for the close button and Escape (a drawer: also for a click beside it); the caller decides what comes of it. */
  onClose(): void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** `tall`: as wide as a large one, and of one height whatever is in it, for tabs. */
  readonly size?: 'small' | 'medium' | 'large' | 'tall'
  /** Buttons at its foot. Those of a form inside come there by themselves. */
  readonly foot?: ReactNode
  readonly children?: ReactNode
}

export interface ConfirmDialogProps {
  readonly isOpen: boolean
  onClose(): void
  readonly title: ReactNode
  /** What will happen, and to what. */
  readonly children: ReactNode
  /** The deed itself: "Delete key", never "OK". */
  readonly action: string
  onConfirm(): void
  readonly isDangerous?: boolean
  readonly isBusy?: boolean
  /** Whether it cannot be done as things are, which the children say. */
  readonly isDisabled?: boolean
  /** What went wrong with the deed; null: nothing. */
  readonly error?: unknown
  /** Instead of the usual "Cancel". */
  readonly cancel?: string
}

/**
 * Where the form of a window puts its buttons and what it was refused for: always in sight, below all that scrolls. null:
 * about to be there; undefined: the form is in no window.
 */
export const FootContext = createContext<HTMLElement | null | undefined>(undefined)

/** The ID of the form that a button sends, which need not stand inside it. */
export const FormContext = createContext<string | undefined>(undefined)

/** The row of buttons at the end of a dialog; the one that goes on comes last. */
export function DialogFoot({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    // On phones two in a row, and none narrower than its words.
    <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 max-sm:[&>*]:min-w-fit max-sm:[&>*]:flex-1 max-sm:[&>*]:basis-2/5 sm:px-5">
      {children}
    </div>
  )
}
