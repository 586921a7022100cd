#pragma once
// A library that a program is started with (LD_PRELOAD), so that one of its calls to the file system fails.
//
// FAILING_CALLS_BELOW: only calls about files below this folder count. Without it nothing fails.
// FAILING_CALL: the call that fails, counted from 1; 0 for none.
// FAILING_CALLS_AFTER: if set, all calls after it fail, too, but those that lock: a disk that is gone.
// FAILING_ERROR: the error number that a failing call gives; 0 kills the process instead.
// FAILING_CALLS_LACKING: what the file system has none of: hard-links, exclusive-rename, exchange, unnamed-files, and
//     colons in new names, in any order.
// FAILING_CALLS_LOG: a file that gets a line for each call that failed, or for every call where none is to fail.
