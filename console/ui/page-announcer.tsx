import { useEffect, useState, type ReactNode } from 'react'

let listener: (title: string) => void = () => {}

/** Says the name of the page that was gone to. A browser does it by itself only when it loads a page. */
export function announcePage(title: string): void {
  listener(title)
}

/** Where it is said, for screen readers alone; stands once around all pages. */
export function PageAnnouncer(): ReactNode {
  const [title, setTitle] = useState('')
  useEffect(() => {
    listener = setTitle
    return () => {
      listener = () => {}
    }
  }, [])
  return (
    <div role="status" className="sr-only">
      {title}
    </div>
  )
}
