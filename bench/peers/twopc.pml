/* Lamport's two-phase commit, N resource managers (N from 3 to 10): the same distinct states as
   bench/models/two-phase-commit.ts. One process with one control location, so a stored state is
   the variables alone; every action of every manager is one option and one d_step.
   -DNOASSERT leaves the invariant out. */
#ifndef N
#define N 5
#endif

#define WORKING   0
#define PREPARED  1
#define COMMITTED 2
#define ABORTED   3

byte manager[N];
byte coordinator;       /* WORKING, COMMITTED or ABORTED */
bool noted[N];          /* the coordinator knows that i is prepared */
bool preparedSent[N];
bool commitSent;
bool abortSent;

#ifdef NOASSERT
#define AGREE skip
#else
/* How many managers have committed and aborted: the invariant for the price of two bytes. */
byte committed;
byte aborted;
#define AGREE assert(committed == 0 || aborted == 0)
#endif

#ifdef NOASSERT
#define COUNT_ABORT(i)  skip
#define COUNT_COMMIT(i) skip
#else
#define COUNT_ABORT(i)  if :: manager[i] == COMMITTED -> committed-- :: else fi; aborted++
#define COUNT_COMMIT(i) if :: manager[i] == ABORTED -> aborted-- :: else fi; committed++
#endif

#define ACTIONS(i) \
  :: d_step { coordinator == WORKING && preparedSent[i] && !noted[i] -> noted[i] = true } \
  :: d_step { manager[i] == WORKING -> manager[i] = PREPARED; preparedSent[i] = true } \
  :: d_step { manager[i] == WORKING -> COUNT_ABORT(i); manager[i] = ABORTED; AGREE } \
  :: d_step { commitSent && manager[i] != COMMITTED -> \
       COUNT_COMMIT(i); manager[i] = COMMITTED; AGREE } \
  :: d_step { abortSent && manager[i] != ABORTED -> \
       COUNT_ABORT(i); manager[i] = ABORTED; AGREE }

#define NOTED3 noted[0] && noted[1] && noted[2]
#if N > 3
#define NOTED4 NOTED3 && noted[3]
#else
#define NOTED4 NOTED3
#endif
#if N > 4
#define NOTED5 NOTED4 && noted[4]
#else
#define NOTED5 NOTED4
#endif
#if N > 5
#define NOTED6 NOTED5 && noted[5]
#else
#define NOTED6 NOTED5
#endif
#if N > 6
#define NOTED7 NOTED6 && noted[6]
#else
#define NOTED7 NOTED6
#endif
#if N > 7
#define NOTED8 NOTED7 && noted[7]
#else
#define NOTED8 NOTED7
#endif
#if N > 8
#define NOTED9 NOTED8 && noted[8]
#else
#define NOTED9 NOTED8
#endif
#if N > 9
#define ALL_NOTED NOTED9 && noted[9]
#else
#define ALL_NOTED NOTED9
#endif

active proctype System() {
end:
  do
  ACTIONS(0)
  ACTIONS(1)
  ACTIONS(2)
#if N > 3
  ACTIONS(3)
#endif
#if N > 4
  ACTIONS(4)
#endif
#if N > 5
  ACTIONS(5)
#endif
#if N > 6
  ACTIONS(6)
#endif
#if N > 7
  ACTIONS(7)
#endif
#if N > 8
  ACTIONS(8)
#endif
#if N > 9
  ACTIONS(9)
#endif
  :: d_step { coordinator == WORKING && ALL_NOTED ->
       coordinator = COMMITTED; commitSent = true }
  :: d_step { coordinator == WORKING -> coordinator = ABORTED; abortSent = true }
  od
}
