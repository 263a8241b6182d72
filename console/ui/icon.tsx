import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** Strokes on a 16 × 16 grid, drawn for this console. */
const SHAPES = {
  overview: 'M2.5 2.5h4.5v5h-4.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 10h4.5v3.5h-4.5z',
  key: 'M9.2 6.8 14 2m-2.4 2.4 1.8 1.8M10 9.5a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z',
  usage: 'M2 14h12M4 11V8m4 3V3m4 8V6',
  models: 'm8 1.8 5.4 3.1v6.2L8 14.2l-5.4-3.1V4.9zM2.6 4.9 8 8l5.4-3.1M8 8v6.2',
  billing: 'M3 2h10v12l-2-1.4L9 14l-2-1.4L5 14l-2-1.4zM6 5.5h4M6 8.5h4',
  account: 'M8 8.2a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14a5.5 5.5 0 0 1 11 0',
  playground: 'M2 3h12v8H8l-3.5 3v-3H2zM5 6h6M5 8.5h4',
  diagnose: 'M2 8h2.5L6.5 3l3 10 2-5H14',
  requests: 'M2.5 5h10.5M10.5 2.5 13 5l-2.5 2.5M13.5 11H3M5.5 8.5 3 11l2.5 2.5',
  prices: 'M2.5 2.5h5.2l5.8 5.8-5.2 5.2-5.8-5.8zM5.4 5.4h.1',
  groups: 'm8 2 6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3',
  people:
    'M6 7.7a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM1.5 13.5a4.5 4.5 0 0 1 9 0M10.6 2.7a2.6 2.6 0 0 1 0 4.8m1.5 2a4.5 4.5 0 0 1 2.4 4',
  plans: 'M2 3.8h12v2.6a1.6 1.6 0 0 0 0 3.2v2.6H2V9.6a1.6 1.6 0 0 0 0-3.2zM9.5 6v4',
  settings: 'M2 5h6m4 0h2M2 11h2m4 0h6M12 5a2 2 0 1 1-4 0 2 2 0 0 1 4 0Zm-4 6a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  circle: 'M8 13.2A5.2 5.2 0 1 0 8 2.8a5.2 5.2 0 0 0 0 10.4Z',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  close: 'm4 4 8 8m0-8-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L14 14',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 5.7m0-3.7v3.7H9.8',
  down: 'm4 6 4 4 4-4',
  up: 'm4 10 4-4 4 4',
  left: 'm10 4-4 4 4 4',
  right: 'm6 4 4 4-4 4',
  sort: 'm5 6 3-3 3 3m0 4-3 3-3-3',
  more: 'M3.2 8h.1M8 8h.1m4.6 0h.1',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10m3.6-10v10',
  filter: 'M2 3.5h12M4.5 8h7M6.8 12.5h2.4',
  external: 'M9 2.5h4.5V7m0-4.5L8 8M6.5 3.5h-4v10h10v-4',
  download: 'M8 2v8m-3.5-3L8 10.5 11.5 7M2.5 13.5h11',
  import: 'M9.5 2.5h4v11h-4M2 8h7.5M6.5 5l3 3-3 3',
  terminal: 'm3 4 4 4-4 4m5.5 0H13',
  edit: 'm10.5 3 2.5 2.5L5.5 13 2.5 13.5 3 10.5zM9 4.5 11.5 7',
  rotate: 'M2.5 7A5.6 5.6 0 0 1 13 5.6m0-3.1v3.1H9.9M13.5 9A5.6 5.6 0 0 1 3 10.4m0 3.1v-3.1h3.1',
  pause: 'M5.5 3v10m5-10v10',
  play: 'M5 3v10l8-5z',
  trash: 'M2.5 4h11M6 4V2.5h4V4m-6 0 .6 9.5h6.8L12 4M6.7 6.8v4m2.6-4v4',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2m0 1.9v.1',
  help: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM6.2 6.3a1.85 1.85 0 1 1 2.7 1.65c-.6.3-.9.65-.9 1.25m0 2v.1',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 7.3v3.9m0-6.4v.1',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V4.8a2.5 2.5 0 0 1 5 0V7M8 9.6v1.3',
  shield: 'M8 1.8 13.2 3.6v4c0 3.2-2.2 5.5-5.2 6.6-3-1.1-5.2-3.4-5.2-6.6v-4z',
  passkey:
    'M6 7.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM1.5 13.5a4.5 4.5 0 0 1 7-3.7m3.2-.5a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8Zm0 0v4.7l-1.2-1',
  device: 'M2 3h12v8H2zm3.5 11h5M8 11v3',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.2H2.8zM6.7 14.2h2.6',
  globe: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM1.8 8h12.4M8 1.8c-4 3.6-4 8.8 0 12.4 4-3.6 4-8.8 0-12.4Z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1v1.4m0 11.2V15M1 8h1.4m11.2 0H15M3 3l1 1m8 8 1 1m0-10-1 1m-8 8-1 1',
  moon: 'M13.5 9.6A5.8 5.8 0 1 1 6.4 2.5a4.6 4.6 0 0 0 7.1 7.1Z',
  signOut: 'M6.5 2.5h-4v11h4M6 8h8m-3-3 3 3-3 3',
  eye: 'M1.5 8C3 5.2 5.3 3.7 8 3.7S13 5.2 14.5 8C13 10.8 10.7 12.3 8 12.3S3 10.8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  clock: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4ZM8 4.8V8l2.2 1.6',
  mail: 'M2 3.5h12v9H2zm0 .5 6 5 6-5',
} as const

export type IconName = keyof typeof SHAPES

/** Decoration beside a text, so it has no name of its own. Inherits its colour; 16 px unless `className` says so. */
export function Icon({ name, className }: { readonly name: IconName; readonly className?: string }): ReactNode {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={classNames('size-4 shrink-0', className)}>
      <path
        d={SHAPES[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={name === 'more' ? 2 : 1.4}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
