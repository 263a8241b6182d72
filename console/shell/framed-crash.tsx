import type { ReactNode } from 'react'
import { ConnectionStrip } from './connection-strip.tsx'
import { Crash } from './crash.tsx'
import { Logo } from './logo.tsx'

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
