import { testEveryView } from './every-view.ts'

testEveryView(['start', 'keys', 'diagnose', 'outside'])
