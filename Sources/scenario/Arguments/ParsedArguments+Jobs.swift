internal import Glibc

extension ParsedArguments {
    /// How many threads may work at a time: as many as the machine runs at a time, unless it was said.
    var jobs: Int { integer(of: .jobs) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
