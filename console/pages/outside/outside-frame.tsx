import { useEffect, type ReactNode } from 'react'
import { ConnectionStrip } from '../../shell/connection-strip.tsx'
import { Logo } from '../../shell/logo.tsx'
import { namePage } from '../../ui/page-title.ts'
import { useIsGateOpen } from './enter-console.ts'
import { OutsideAnnouncements } from './outside-announcements.tsx'
import { OutsideFoot } from './outside-foot.tsx'

/** What stands around every page before signing in: the name, one sheet of paper, language and theme. */
export function OutsideFrame(props: {
  readonly title: string
  readonly children: ReactNode
  /** Below the sheet. */
  readonly after?: ReactNode
}): ReactNode {
  useEffect(() => {
    namePage(props.title)
  }, [props.title])
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <header className="px-4 py-4 sm:px-6">
        <Logo />
      </header>
      <main className="relative flex flex-1 flex-col items-center px-4 pt-2 pb-10 sm:pt-[6dvh]">
        <Gate />
        <div className="relative w-full max-w-sm">
          <ConnectionStrip />
          <OutsideAnnouncements />
        </div>
        <div className="card relative w-full max-w-sm p-5 sm:p-7">
          <h1 className="text-xl">{props.title}</h1>
          <div className="mt-5">{props.children}</div>
        </div>
        {props.after !== undefined && (
          <div className="relative mt-4 max-w-sm text-center text-ink-2">{props.after}</div>
        )}
      </main>
      <OutsideFoot />
    </div>
  )
}

/** The gate behind the sheet: its post is under it, its arm reaches the edge of the window and opens when the reader is let in. */
function Gate(): ReactNode {
  const isOpen = useIsGateOpen()
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 900 420"
      className="pointer-events-none absolute bottom-0 left-1/2 hidden w-[min(72rem,100%)] -translate-x-1/2 overflow-visible opacity-35 sm:block"
    >
      <path d="M-900 396H1800" stroke="var(--color-edge)" strokeWidth="2" />
      <path d="M-900 408H1800" stroke="var(--color-edge)" strokeWidth="2" strokeDasharray="26 22" />
      <path d="M450 396V262" stroke="var(--color-edge)" strokeWidth="10" strokeLinecap="round" />
      <g
        className="transition-transform duration-300 ease-out motion-reduce:transition-none"
        style={{ transformOrigin: '450px 262px', transform: isOpen ? 'rotate(-71.4deg)' : 'none' }}
      >
        <path d="M450 262H1800" stroke="var(--color-line)" strokeWidth="9" />
        <path d="M450 262H1800" stroke="var(--color-brass)" strokeWidth="9" strokeDasharray="26 26" />
      </g>
    </svg>
  )
}
