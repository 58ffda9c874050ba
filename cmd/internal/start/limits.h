// What Go's runtime needs to start, in bytes. Measured for Go 1.26 on amd64, with room for
// other versions.
#define ADDRESS_SPACE 2147483648 // it fails at some limits up to 1,500 MB
#define DATA 268435456 // likewise up to 100 MB

// How late a timer of the hook may be, in nanoseconds. The runtime has a thread that looks
// after the others every 20 µs, and each time it takes a processor from somebody; with this it
// looks once a millisecond.
#define TIMER_SLACK 1000000

// A number of processors with more digits is a mistake.
#define PROCESSOR_DIGITS 3

#define REFUSED_SIZE 136 // bytes of skillgate_refused
