import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import type { Command } from './command.ts'

interface Part {
  readonly name: string
  readonly title: string
  readonly commands: readonly Command[]
}

/** What the palette found, by parts. The field keeps the focus; the marked line is the one that Enter takes. */
export function PaletteList(props: {
  readonly id: string
  readonly label: string
  readonly parts: readonly Part[]
  readonly active: Command | undefined
  idOf(command: Command): string
  onPoint(command: Command): void
  onRun(command: Command): void
}): ReactNode {
  return (
    <div
      id={props.id}
      role="listbox"
      aria-label={props.label}
      // A press on a line leaves the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5 empty:hidden"
    >
      {props.parts.map((part) => (
        <div key={part.name} role="group" aria-labelledby={`${props.id}-${part.name}`}>
          <div id={`${props.id}-${part.name}`} role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-ink-3">
            {part.title}
          </div>
          {part.commands.map((command) => (
            <div
              key={command.id}
              id={props.idOf(command)}
              role="option"
              aria-selected={command === props.active}
              onPointerMove={() => command !== props.active && props.onPoint(command)}
              onClick={() => props.onRun(command)}
              className="flex min-h-9 touch:min-h-11 items-center gap-2.5 rounded-md px-2.5 py-1 aria-selected:bg-accent-soft forced-colors:aria-selected:outline-2 forced-colors:aria-selected:outline-[Highlight]"
            >
              <Icon name={command.icon} className="text-ink-3" />
              <span className="min-w-0 flex-1 truncate">{command.label}</span>
              {command.detail !== undefined && (
                <span className="max-w-1/2 truncate text-sm text-ink-3">{command.detail}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
