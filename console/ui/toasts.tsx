import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useProblemText } from '../dictionaries/problem-text.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { Icon } from './icon.tsx'

export interface Toast {
  readonly text: string
  readonly tone?: 'good' | 'bad'
}

interface Shown extends Toast {
  readonly id: number
}

const SHOWN_MS = 6_000
const MOST = 3

const ShowToast = createContext<(toast: Toast) => void>(() => {})

/** Says what just happened. Never for what has to be read: it goes away by itself. */
export function useToast(): (toast: Toast) => void {
  return useContext(ShowToast)
}

/** Says why something failed. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast()
  const problemText = useProblemText()
  return (error) => toast({ text: problemText(error), tone: 'bad' })
}

export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  const [shown, setShown] = useState<readonly Shown[]>([])
  const lastId = useRef(0)
  const drop = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), [])
  const show = useCallback(
    (toast: Toast) => {
      lastId.current += 1
      const id = lastId.current
      setShown((all) => [...all, { ...toast, id }].slice(-MOST))
      setTimeout(() => drop(id), SHOWN_MS)
    },
    [drop],
  )
  return (
    <ShowToast value={show}>
      {children}
      {createPortal(<ToastList shown={shown} drop={drop} />, document.body)}
    </ShowToast>
  )
}

function ToastList({ shown, drop }: { readonly shown: readonly Shown[]; drop(id: number): void }): ReactNode {
  const t = useSharedTexts()
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 max-lg:pb-20 lg:items-end"
    >
      {shown.map((toast) => (
        <div
          key={toast.id}
          className="popup pointer-events-auto flex max-w-sm animate-[rise_160ms] items-center gap-2.5 py-1 pr-1 pl-3"
        >
          <Icon
            name={toast.tone === 'bad' ? 'warning' : 'check'}
            className={classNames(toast.tone === 'bad' ? 'text-bad' : 'text-good')}
          />
          <span className="flex-1 py-1">{toast.text}</span>
          <IconButton icon="close" label={t.close} onClick={() => drop(toast.id)} />
        </div>
      ))}
    </div>
  )
}
