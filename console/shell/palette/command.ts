import type { IconName } from '../../ui/icon.tsx'
import type { Findable } from './rank.ts'

/** What those who run the place find besides: objects of everyone's. */
export type StaffPart = 'accounts' | 'accountKeys' | 'upstreams' | 'groups' | 'plans' | 'prices'

/** One line of the palette: it goes somewhere or does something. */
export interface Command extends Findable {
  readonly id: string
  readonly part: 'pasted' | 'pages' | 'admin' | 'actions' | 'keys' | 'models' | StaffPart
  readonly icon: IconName
  readonly label: string
  readonly detail?: string
  /** Where the focus belongs after it: on the page that it leads to, where it was, or where the command puts it. */
  readonly focus: 'page' | 'opener' | 'own'
  run(): void
}
